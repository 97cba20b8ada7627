import { IsString, MaxLength } from 'class-validator';

/** A name of 253 characters, and what punycode makes shorter. */
const MAX_LENGTH = 1_000;

export class CreateDomainDto {
  /**
   * The domain to send from, in Unicode or punycode: one that can be registered, or a sub-domain of one.
   * @example "mail.example.com"
   */
  @MaxLength(MAX_LENGTH)
  @IsString()
  name!: string;
}
