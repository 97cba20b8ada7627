/**
 * How a receiver behaves to one post. `hang` never answers; `drop` cuts the connection instead, `drop_midway` within the
 * body; `drip` answers 200 and goes on with a byte every 50 ms, `drip_headers` does so before the body; `endless` sends
 * 200 and as much as the other side takes; `redirect` sends 302 to `/redirected` on 127.0.0.1.
 */
export type ReceiverAnswer =
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  | 'hang'
  | 'drop'
  | 'drop_midway'
  | 'drip'
  | 'drip_headers'
  | 'endless'
  | 'large_headers'
  | 'redirect';

/** Of a signature header, by the secret that the receiver was told. */
export type SignatureVerdict = 'valid' | 'wrong' | 'malformed' | 'missing';

/** Told as it stands at the moment: of a post that is being answered some are yet to change. */
export interface ReceivedPost {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | undefined>;
  /** As it came. */
  body: string;
  /** On the clock of `Date.now()`. */
  receivedAt: number;
  /** Null: the receiver was told no secret for the path. */
  signature: SignatureVerdict | null;
  /** Of `-Signature-Previous`, by the secret before. */
  previousSignature: SignatureVerdict | null;
  /** Bytes of the answer that went out, as far as it has no end of its own. */
  sentBytes: number;
  /** Whether the whole answer went out. */
  isAnswered: boolean;
  /** Whether the connection has closed before the end of the answer. */
  wasCut: boolean;
}

export interface ReceiverConnections {
  opened: number;
  open: number;
}

/** Oldest first, and what is wrong with the bodies of webhooks to any path: they are not as their schemas say. */
export interface ReceivedPosts {
  posts: ReceivedPost[];
  faults: string[];
}

export interface ReceiverSecrets {
  current: string;
  previous?: string;
}

/** What the process of a receiver is asked for, each answered by one value. */
export type ReceiverRequest =
  | { ask: 'answer'; path: string; answers: ReceiverAnswer[] }
  | { ask: 'trust'; path: string; secrets: ReceiverSecrets }
  | { ask: 'received' | 'count'; path?: string | undefined }
  | { ask: 'connections' }
  | { ask: 'reset' };
