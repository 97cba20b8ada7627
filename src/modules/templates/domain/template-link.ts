/** A variable with a URL of the service, created only if the template uses it. Callers cannot pass one in. */
export class TemplateLink {
  readonly #make: () => string;
  #url: string | undefined;
  wasUsed = false;

  constructor(make: () => string) {
    this.#make = make;
  }

  get url(): string {
    this.wasUsed = true;
    return this.peek();
  }

  /** The URL, without its use. */
  peek(): string {
    return (this.#url ??= this.#make());
  }
}
