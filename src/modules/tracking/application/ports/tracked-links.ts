/** The addresses by which recipients, unknowingly, tell that they open a message and follow its links. All are signed. */
export abstract class TrackedLinks {
  /** Leads to the target. */
  abstract click(messageId: string, target: string): string;

  /** Of the pixel. */
  abstract open(messageId: string): string;

  abstract isClick(messageId: string, target: string, signature: string): boolean;

  abstract isOpen(messageId: string, signature: string): boolean;

  /** Whether a link leads to our own redirects or unsubscribe pages. */
  abstract isOwn(url: URL): boolean;
}
