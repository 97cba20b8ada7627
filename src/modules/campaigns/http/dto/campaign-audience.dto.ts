import { ArrayMaxSize, IsArray, IsString, Length } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { MAX_SELECTORS } from '../../domain/campaign.js';

const MAX_LENGTH = 100;

/** Contacts on one of the lists or with one of the tags, except the excluded ones. An absent field is empty. */
export class CampaignAudienceDto {
  /** Ids of lists. */
  @IfPresent()
  @Length(1, MAX_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_SELECTORS)
  @IsArray()
  listIds?: string[];

  /** @example ["customer"] */
  @IfPresent()
  @Length(1, MAX_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_SELECTORS)
  @IsArray()
  tags?: string[];

  /** Ids of lists whose contacts get nothing. */
  @IfPresent()
  @Length(1, MAX_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_SELECTORS)
  @IsArray()
  excludeListIds?: string[];

  /**
   * Tags whose contacts get nothing.
   * @example ["press"]
   */
  @IfPresent()
  @Length(1, MAX_LENGTH, { each: true })
  @IsSingleLine({ each: true })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_SELECTORS)
  @IsArray()
  excludeTags?: string[];
}
