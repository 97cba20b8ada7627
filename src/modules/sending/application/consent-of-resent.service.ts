import { Injectable } from '@nestjs/common';

import type { Channel } from '../../../shared/channel.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { RequiredConsent } from '../../consent/index.js';
import { ReadMessages } from '../../messages/index.js';

interface Resent {
  accountId: string;
  channel: Channel;
  recipient: string;
  topicId: string | null;
}

/** A message of a campaign needs the consent that the account requires for campaigns also when it is resent. */
@Injectable()
export class ConsentOfResent {
  constructor(
    private readonly messages: ReadMessages,
    private readonly consents: RequiredConsent,
  ) {}

  /** Whether the required consent is lacking for a message that repeats the one with this id. */
  async isLacking({ accountId, channel, recipient, topicId }: Resent, resentFrom: string): Promise<boolean> {
    if (channel !== 'email' || !(await this.messages.isOfCampaign(accountId, resentFrom))) return false;
    return (await this.consents.findLacking(accountId, [normaliseEmail(recipient)], topicId)).size > 0;
  }
}
