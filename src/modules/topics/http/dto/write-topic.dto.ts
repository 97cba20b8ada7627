import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length, MaxLength } from 'class-validator';

import { IfPresent, IsNotBlank, IsSingleLine } from '../../../../platform/http/validators.js';
import {
  MAX_TOPIC_DESCRIPTION_LENGTH,
  MAX_TOPIC_NAME_LENGTH,
  TOPIC_DEFAULTS,
  TOPIC_VISIBILITIES,
  type TopicDefault,
  type TopicVisibility,
} from '../../domain/topic.js';

class TopicDetailsDto {
  /**
   * Shown to recipients.
   * @example "News about our products, once a month"
   */
  @IfPresent()
  @IsSingleLine()
  @MaxLength(MAX_TOPIC_DESCRIPTION_LENGTH)
  @IsString()
  description?: string;

  /**
   * `public`, the default: all recipients see the topic and may subscribe to it. `private`: only recipients of its
   * messages do.
   */
  @ApiPropertyOptional({ enum: TOPIC_VISIBILITIES })
  @IfPresent()
  @IsIn(TOPIC_VISIBILITIES, { message: `visibility must be ${TOPIC_VISIBILITIES.join(' or ')}` })
  visibility?: TopicVisibility;

  /**
   * What holds for an address without any consent: `in`, the default, and it gets the messages of the topic until the
   * person unsubscribes, or `out`, and it gets none until a consent is recorded.
   */
  @ApiPropertyOptional({ enum: TOPIC_DEFAULTS })
  @IfPresent()
  @IsIn(TOPIC_DEFAULTS, { message: `byDefault must be ${TOPIC_DEFAULTS.join(' or ')}` })
  byDefault?: TopicDefault;
}

export class CreateTopicDto extends TopicDetailsDto {
  /**
   * Shown to recipients. Unique in the account, regardless of case.
   * @example "Monthly newsletter"
   */
  @IsNotBlank()
  @IsSingleLine()
  @Length(1, MAX_TOPIC_NAME_LENGTH)
  @IsString()
  name!: string;
}

/** Absent fields are kept. */
export class ChangeTopicDto extends TopicDetailsDto {
  /** @example "Monthly newsletter" */
  @IfPresent()
  @IsNotBlank()
  @IsSingleLine()
  @Length(1, MAX_TOPIC_NAME_LENGTH)
  @IsString()
  name?: string;
}
