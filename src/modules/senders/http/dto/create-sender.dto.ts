import { ApiProperty } from '@nestjs/swagger';

import { IsEmailAddress } from '../../../../platform/http/validators.js';
import { MAX_EMAIL_LENGTH } from '../../../../shared/email-address.js';

export class CreateSenderDto {
  /**
   * The address to send from. A confirmation link is mailed to it.
   * @example "news@example.com"
   */
  @ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH })
  @IsEmailAddress()
  email!: string;
}
