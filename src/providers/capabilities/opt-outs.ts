export interface OptOutPage {
  /** The numbers as the provider writes them. */
  numbers: string[];
  /** The token of the next page; null: this is the last page. */
  nextToken: string | null;
}

/** The provider refused a request or did not answer it. */
export class SmsAccountFailure extends Error {
  constructor(
    message: string,
    /** `later`: throttled or no answer; `token`: the page token is no longer valid; `refused`: a retry is pointless. */
    readonly kind: 'later' | 'token' | 'refused',
  ) {
    super(message);
    this.name = 'SmsAccountFailure';
  }
}

/** The numbers to which the provider delivers nothing, because they have opted out. */
export interface OptOutList {
  /** Identifies the list without any secret. Accounts with the same one share the limit of its requests. */
  readonly source: string;

  /** Returns the page of a token; null: the first page. Throws SmsAccountFailure. */
  listPage(token: string | null): Promise<OptOutPage>;

  /** `number` is in E.164. Throws SmsAccountFailure. */
  isOptedOut(number: string): Promise<boolean>;
}

/** Provided if the provider keeps an opt-out list, which the service reads on a schedule. */
export interface ListsOptOuts<C> {
  optOutsOf(connection: C): OptOutList;
}

/** The state of the account at the provider. */
export interface SmsAccountState {
  /** In the sandbox, only verified numbers can receive messages. */
  sandbox: boolean;
  /** The verified numbers in E.164. */
  verifiedNumbers: string[];
  /** The numbers from which the account may send. */
  originationNumbers: string[];
}

export interface DescribesAccount<C> {
  /** Throws if the provider does not answer or refuses the credentials. */
  describe(connection: C): Promise<SmsAccountState>;
}
