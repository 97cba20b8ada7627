/**
 * How the receiver responds to a post. `hang` never responds; `drop` closes the connection, `drop_midway` within the
 * body; `drip` responds 200 and continues with a byte every 50 ms, `drip_headers` does so before the body; `endless`
 * sends 200 and as much as the client reads; `redirect` sends 302 to `/redirected` on 127.0.0.1. An answer that
 * `isHeld` is not sent before the test releases those of the path.
 */
export type ReceiverAnswer =
  | { status: number; headers?: Record<string, string>; body?: string; isHeld?: boolean }
  | 'hang'
  | 'drop'
  | 'drop_midway'
  | 'drip'
  | 'drip_headers'
  | 'endless'
  | 'large_headers'
  | 'redirect';

/** The result of verifying a signature header with the receiver's secret. */
export type SignatureVerdict = 'valid' | 'wrong' | 'malformed' | 'missing';

/** A snapshot: while the post is being answered, some fields still change. */
export interface ReceivedPost {
  method: string;
  /** Including the query. */
  path: string;
  headers: Record<string, string | undefined>;
  /** As received. */
  body: string;
  /** According to `Date.now()`. */
  receivedAt: number;
  /** Null if the receiver has no secret for the path. */
  signature: SignatureVerdict | null;
  /** The same for `-Signature-Previous` and the previous secret. */
  previousSignature: SignatureVerdict | null;
  /** The number of bytes sent of an answer without end. */
  sentBytes: number;
  /** Whether the whole answer was sent. */
  isAnswered: boolean;
  /** Whether the connection was closed before the end of the answer. */
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

/** The calls to the receiver's process; each returns one value. */
export type ReceiverRequest =
  | { ask: 'answer'; path: string; answers: ReceiverAnswer[] }
  | { ask: 'trust'; path: string; secrets: ReceiverSecrets }
  | { ask: 'release'; path: string }
  | { ask: 'received' | 'count'; path?: string | undefined }
  | { ask: 'connections' }
  | { ask: 'reset' };
