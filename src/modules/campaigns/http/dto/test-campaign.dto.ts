import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray } from 'class-validator';

import { IsEmailAddress } from '../../../../platform/http/validators.js';
import { normaliseEmail } from '../../../../shared/email-address.js';

const normalised = (address: unknown): unknown => (typeof address === 'string' ? normaliseEmail(address) : address);

export class TestCampaignDto {
  /**
   * The addresses to send to. Placeholders are filled with the contact of the address, if there is one.
   * @example ["ada@example.com"]
   */
  @IsEmailAddress({ each: true })
  @ArrayUnique(normalised, { message: 'to must not contain an address twice' })
  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @IsArray()
  to!: string[];
}
