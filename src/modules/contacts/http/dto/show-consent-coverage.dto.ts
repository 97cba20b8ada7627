import { IsOptional, Matches } from 'class-validator';

export class ShowConsentCoverageDto {
  /** Counts by the consents to this topic. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be the id of a topic' })
  topicId?: string;
}
