import {
  GetSMSSandboxAccountStatusCommand,
  paginateListOriginationNumbers,
  paginateListSMSSandboxPhoneNumbers,
  type SNSClient,
} from '@aws-sdk/client-sns';
import { Injectable, Logger } from '@nestjs/common';

import { SnsClients } from '../../../platform/aws/sns-clients.js';
import type { AwsAccess } from '../../../shared/account-provider.js';
import type { SmsStanding } from '../../accounts/index.js';
import { SmsAccountGateway } from '../application/ports/sms-account-gateway.js';

/** The most that the operations take. */
const SANDBOX_NUMBERS_PER_PAGE = 100;
const ORIGINATION_NUMBERS_PER_PAGE = 30;

@Injectable()
export class SnsSmsAccount extends SmsAccountGateway {
  private readonly logger = new Logger(SnsSmsAccount.name);

  constructor(private readonly clients: SnsClients) {
    super();
  }

  async describe(access: AwsAccess): Promise<Omit<SmsStanding, 'checkedAt'>> {
    const client = this.clients.of(access);
    const { IsInSandbox: sandbox = false } = await client.send(new GetSMSSandboxAccountStatusCommand({}));
    return {
      sandbox,
      verifiedNumbers: sandbox ? await verifiedNumbers(client) : [],
      originationNumbers: await this.originationNumbers(client),
    };
  }

  /** Only shown: where a permission for them is missing, the rest counts all the same. */
  private async originationNumbers(client: SNSClient): Promise<string[]> {
    const numbers: string[] = [];
    try {
      const config = { client, pageSize: ORIGINATION_NUMBERS_PER_PAGE };
      for await (const { PhoneNumbers = [] } of paginateListOriginationNumbers(config, {})) {
        numbers.push(...PhoneNumbers.flatMap(({ PhoneNumber }) => PhoneNumber ?? []));
      }
    } catch (error) {
      this.logger.warn(`The origination numbers are not known: ${(error as Error).message}`);
    }
    return numbers;
  }
}

async function verifiedNumbers(client: SNSClient): Promise<string[]> {
  const numbers: string[] = [];
  const config = { client, pageSize: SANDBOX_NUMBERS_PER_PAGE };
  for await (const { PhoneNumbers = [] } of paginateListSMSSandboxPhoneNumbers(config, {})) {
    const verified = PhoneNumbers.filter(({ Status }) => Status === 'Verified');
    numbers.push(...verified.flatMap(({ PhoneNumber }) => PhoneNumber ?? []));
  }
  return numbers;
}
