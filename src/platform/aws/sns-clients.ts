import { SNSClient } from '@aws-sdk/client-sns';
import { Injectable } from '@nestjs/common';

import { AwsClients } from './aws-clients.js';

/** The endpoint comes from the region, or from AWS_ENDPOINT_URL_SNS, which the SDK reads itself. */
@Injectable()
export class SnsClients extends AwsClients<SNSClient> {
  constructor() {
    super((config) => new SNSClient(config));
  }
}
