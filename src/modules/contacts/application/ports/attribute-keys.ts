/** The keys of the attributes of an account's contacts. */
export abstract class AttributeKeys {
  /** Lists the keys in alphabetical order, at most `limit`. Reads all contacts that have attributes. */
  abstract list(accountId: string, limit: number): Promise<string[]>;
}
