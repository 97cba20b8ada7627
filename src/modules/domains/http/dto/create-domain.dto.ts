import { IsString, MaxLength } from 'class-validator';

/** More than the 253 characters of a name: Unicode may be longer than its punycode. */
const MAX_LENGTH = 1_000;

export class CreateDomainDto {
  /**
   * The domain to send from, in Unicode or punycode: a registrable domain or a sub-domain of one.
   * @example "mail.example.com"
   */
  @MaxLength(MAX_LENGTH)
  @IsString()
  name!: string;
}
