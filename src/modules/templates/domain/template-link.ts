/** A variable whose value is an address of the service; made only where a text names it. No caller can pass one in. */
export class TemplateLink {
  readonly #make: () => string;
  #made: string | undefined;

  constructor(make: () => string) {
    this.#make = make;
  }

  get url(): string {
    return (this.#made ??= this.#make());
  }

  get wasUsed(): boolean {
    return this.#made !== undefined;
  }
}
