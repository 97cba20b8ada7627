import { SESv2Client } from '@aws-sdk/client-sesv2';
import { Injectable } from '@nestjs/common';

import { AwsClients } from './aws-clients.js';

/** The endpoint comes from the region, or from AWS_ENDPOINT_URL_SESV2, which the SDK reads itself. */
@Injectable()
export class SesClients extends AwsClients<SESv2Client> {
  constructor() {
    super((config) => new SESv2Client(config));
  }
}
