import { ApiProperty } from '@nestjs/swagger';

/** What people send with a form. They are strangers, their programs may send anything: the submission checks it. */
export class SignupDto {
  /** @example "ada@example.com" */
  email!: string;

  /**
   * This and the other fields count if the form asks for them.
   * @example "Ada"
   */
  firstName?: string;

  /** @example "Lovelace" */
  lastName?: string;

  /** @example "Example" */
  company?: string;

  /**
   * The solution of a challenge, in the form of ALTCHA; forms whose `challenge` is `none` need none.
   * @example "eyJjaGFsbGVuZ2UiOnt9LCJzb2x1dGlvbiI6e319"
   */
  challenge?: string;

  /**
   * The version of the form that the person saw; without it, the current one.
   * @example 1
   */
  @ApiProperty({ type: 'integer', required: false })
  wordingVersion?: number;
}
