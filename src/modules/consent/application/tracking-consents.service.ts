import { Injectable } from '@nestjs/common';

import { ConsentRepository } from './ports/consent.repository.js';

/** Whether people have agreed that their opens and clicks are recorded, for accounts that ask for it. */
@Injectable()
export class TrackingConsents {
  constructor(private readonly consents: ConsentRepository) {}

  /** For a normalised email address. Cheap for many concurrent callers. Must not be called in a transaction. */
  isGranted(accountId: string, email: string): Promise<boolean> {
    return this.consents.isTrackingGranted(accountId, email);
  }
}
