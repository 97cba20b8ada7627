/** A person or a program opened a message or followed one of its links. */
export interface Visit {
  messageId: string;
  type: 'opened' | 'clicked';
  at: Date;
  /** The target of the link; null for an opened message. */
  url: string | null;
  userAgent: string | null;
  ip: string | null;
  /** The visitor is known to be a program. */
  automated: boolean;
}

/** The visitor, according to the request. */
export interface Visitor {
  method: string;
  userAgent: string | null;
  ip: string | null;
  /** The purpose headers of the request, such as `prefetch`. */
  purpose: string;
}
