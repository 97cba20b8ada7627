import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray } from 'class-validator';

import { IsEmailAddress } from '../../../../platform/http/validators.js';

export class TestCampaignDto {
  /**
   * The addresses to send to. Placeholders are filled with the contact of the address, if there is one.
   * @example ["ada@example.com"]
   */
  @IsEmailAddress({ each: true })
  @ArrayUnique()
  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @IsArray()
  to!: string[];
}
