/** A variable with a URL of the service, created only if the template uses it. Callers cannot pass one in. */
export class TemplateLink {
  readonly #make: () => string;
  #url: string | undefined;

  constructor(make: () => string) {
    this.#make = make;
  }

  get url(): string {
    return (this.#url ??= this.#make());
  }

  get wasUsed(): boolean {
    return this.#url !== undefined;
  }
}
