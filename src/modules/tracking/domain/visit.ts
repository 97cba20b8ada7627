/** Someone, or something, opened a message or followed one of its links. */
export interface Visit {
  messageId: string;
  type: 'opened' | 'clicked';
  at: Date;
  /** What the link leads to; null for an opened message. */
  url: string | null;
  userAgent: string | null;
  ip: string | null;
  /** Known to be no person. */
  automated: boolean;
}

/** Who visits, as the request tells. */
export interface Visitor {
  method: string;
  userAgent: string | null;
  ip: string | null;
  /** What the headers say that the request is for, such as `prefetch`. */
  purpose: string;
}
