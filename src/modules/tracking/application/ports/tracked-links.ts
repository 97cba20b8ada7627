import type { LinkSigning } from '../../domain/link-signing.js';

/** Signed URLs whose requests show that a message was opened or a link followed. */
export abstract class TrackedLinks {
  abstract readonly signing: LinkSigning;

  /** The URL that redirects to the target. */
  abstract click(messageId: string, target: string): string;

  /** The URL of the pixel. */
  abstract open(messageId: string): string;

  abstract isClick(messageId: string, target: string, signature: string): boolean;

  abstract isOpen(messageId: string, signature: string): boolean;
}
