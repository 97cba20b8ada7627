import type { SNSClient } from '@aws-sdk/client-sns';
import { Injectable, Logger } from '@nestjs/common';

import { isThrottlingError, snsSdk } from '../../platform/aws/aws-sdk.js';
import { SnsClients } from '../../platform/aws/aws-clients.js';
import type { AwsAccess } from '../../shared/aws-access.js';
import { type OptOutList, type OptOutPage, SmsAccountFailure, type SmsAccountState } from '../capabilities/opt-outs.js';

/** The largest pages that the operations allow. */
const SANDBOX_NUMBERS_PER_PAGE = 100;
const ORIGINATION_NUMBERS_PER_PAGE = 30;

@Injectable()
export class SnsAccount {
  private readonly logger = new Logger(SnsAccount.name);

  constructor(private readonly clients: SnsClients) {}

  async describe(access: AwsAccess): Promise<SmsAccountState> {
    const client = this.clients.get(access);
    const { IsInSandbox: sandbox = false } = await client.send(new (snsSdk().GetSMSSandboxAccountStatusCommand)({}));
    return {
      sandbox,
      verifiedNumbers: sandbox ? await verifiedNumbers(client) : [],
      originationNumbers: await this.originationNumbers(client),
    };
  }

  optOutsOf(access: AwsAccess): OptOutList {
    const { region, credentials } = access;
    return {
      source: `${region} ${credentials?.accessKeyId ?? ''}`, // is stored: another one discards the numbers
      listPage: (token) => this.listPage(access, token),
      isOptedOut: (number) => this.isOptedOut(access, number),
    };
  }

  private async listPage(access: AwsAccess, token: string | null): Promise<OptOutPage> {
    try {
      const command = new (snsSdk().ListPhoneNumbersOptedOutCommand)(token === null ? {} : { nextToken: token });
      const { phoneNumbers = [], nextToken } = await this.clients.get(access).send(command);
      return { numbers: phoneNumbers, nextToken: nextToken || null };
    } catch (error) {
      throw toFailure(error, token);
    }
  }

  private async isOptedOut(access: AwsAccess, number: string): Promise<boolean> {
    try {
      const command = new (snsSdk().CheckIfPhoneNumberIsOptedOutCommand)({ phoneNumber: number });
      return (await this.clients.get(access).send(command)).isOptedOut ?? true;
    } catch (error) {
      throw toFailure(error, null);
    }
  }

  /** The numbers are for display only: without the permission to list them, the rest of the status still counts. */
  private async originationNumbers(client: SNSClient): Promise<string[]> {
    const numbers: string[] = [];
    try {
      const config = { client, pageSize: ORIGINATION_NUMBERS_PER_PAGE };
      for await (const { PhoneNumbers = [] } of snsSdk().paginateListOriginationNumbers(config, {})) {
        numbers.push(...PhoneNumbers.flatMap(({ PhoneNumber }) => PhoneNumber ?? []));
      }
    } catch (error) {
      this.logger.warn(`The origination numbers could not be read: ${(error as Error).message}`);
    }
    return numbers;
  }
}

async function verifiedNumbers(client: SNSClient): Promise<string[]> {
  const numbers: string[] = [];
  const config = { client, pageSize: SANDBOX_NUMBERS_PER_PAGE };
  for await (const { PhoneNumbers = [] } of snsSdk().paginateListSMSSandboxPhoneNumbers(config, {})) {
    const verified = PhoneNumbers.filter(({ Status }) => Status === 'Verified');
    numbers.push(...verified.flatMap(({ PhoneNumber }) => PhoneNumber ?? []));
  }
  return numbers;
}

const BAD_PARAMETER = /^(InvalidParameter|Validation)/;

function toFailure(error: unknown, token: string | null): SmsAccountFailure {
  const failure = error as Parameters<typeof isThrottlingError>[0];
  const { name, message, $metadata } = failure;
  const status = $metadata?.httpStatusCode ?? 0;
  const isRefusal = (status >= 400 && status < 500) || name === 'CredentialsProviderError';
  if (isThrottlingError(failure) || !isRefusal) return new SmsAccountFailure(message, 'later');
  return new SmsAccountFailure(message, token !== null && BAD_PARAMETER.test(name) ? 'token' : 'refused');
}
