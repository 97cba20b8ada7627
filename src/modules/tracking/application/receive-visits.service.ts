import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { isAutomated } from '../domain/automated-visitor.js';
import type { Visitor } from '../domain/visit.js';
import { TrackedLinks } from './ports/tracked-links.js';
import { RecordVisits } from './record-visits.service.js';

@Injectable()
export class ReceiveVisits {
  constructor(
    private readonly links: TrackedLinks,
    private readonly recordVisits: RecordVisits,
    private readonly clock: Clock,
  ) {}

  /** Records the click if the signature is valid. Returns whether it is: otherwise the link must not be followed. */
  click(messageId: string, target: string, signature: string, visitor: Visitor): boolean {
    if (!isId(messageId) || !this.links.isClick(messageId, target, signature)) return false;
    this.record('clicked', messageId, target, visitor);
    return true;
  }

  /** Records the open if the signature is valid. */
  open(messageId: string, signature: string, visitor: Visitor): void {
    if (isId(messageId) && this.links.isOpen(messageId, signature)) this.record('opened', messageId, null, visitor);
  }

  private record(type: 'opened' | 'clicked', messageId: string, url: string | null, visitor: Visitor): void {
    const { userAgent, ip } = visitor;
    const automated = isAutomated(visitor);
    this.recordVisits.add({ messageId, type, at: this.clock.now(), url, userAgent, ip, automated });
  }
}
