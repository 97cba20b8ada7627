import { Injectable } from '@nestjs/common';

import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { isAutomated } from '../domain/automated-visitor.js';
import type { Visitor } from '../domain/visit.js';
import { TrackedLinks } from './ports/tracked-links.js';
import { VisitLog } from './ports/visit-log.js';

@Injectable()
export class ReceiveVisits {
  constructor(
    private readonly links: TrackedLinks,
    private readonly visits: VisitLog,
    private readonly clock: Clock,
  ) {}

  /** Whether the link is one of ours, and so may be followed. */
  click(messageId: string, target: string, signature: string, visitor: Visitor): boolean {
    if (!isId(messageId) || !this.links.isClick(messageId, target, signature)) return false;
    this.note('clicked', messageId, target, visitor);
    return true;
  }

  /** Forged pixels count for nothing. */
  open(messageId: string, signature: string, visitor: Visitor): void {
    if (isId(messageId) && this.links.isOpen(messageId, signature)) this.note('opened', messageId, null, visitor);
  }

  private note(type: 'opened' | 'clicked', messageId: string, url: string | null, visitor: Visitor): void {
    const { userAgent, ip } = visitor;
    this.visits.add({ messageId, type, at: this.clock.now(), url, userAgent, ip, automated: isAutomated(visitor) });
  }
}
