import { Injectable } from '@nestjs/common';

import { MessageDigest } from './ports/message-digest.js';

/** Keeps counts and search fast, behind the back of those who write messages. */
@Injectable()
export class DigestMessages {
  constructor(private readonly written: MessageDigest) {}

  async digest(): Promise<void> {
    await this.written.addUpCountsAcrossAccounts();
    await this.written.indexTextsAcrossAccounts();
  }
}
