/** Collects the values of a statement while its text is being built. */
export class Parameters {
  readonly values: unknown[];

  constructor(...first: unknown[]) {
    this.values = first;
  }

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A LIKE pattern for text that contains the part literally. */
export const containing = (part: string): string => `%${escapeLike(part)}%`;

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
