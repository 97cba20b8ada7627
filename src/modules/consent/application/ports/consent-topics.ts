/** The topics that consents are about. Implemented by the topics module. */
export abstract class ConsentTopics {
  /** Throws invalid, naming the field, unless it is the id of a topic of the account, which may have been deleted. */
  abstract requireKnown(accountId: string, field: string, id: string): Promise<unknown>;
}
