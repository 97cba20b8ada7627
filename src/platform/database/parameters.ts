/** The values of a statement that is put together: each is added where its text names it, after those it begins with. */
export class Parameters {
  readonly values: unknown[];

  constructor(...first: unknown[]) {
    this.values = first;
  }

  /** The placeholder that stands for the value. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A pattern for LIKE that matches texts with this part in them, whatever characters it has. */
export const containing = (part: string): string => `%${escapeLike(part)}%`;

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
