/** One account of the run: what was counted, and everything that does not add up. */
export interface Entry {
  name: string;
  counted: string;
  gaps: string[];
}
