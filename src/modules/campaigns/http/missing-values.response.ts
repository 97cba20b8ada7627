import { ApiProperty } from '@nestjs/swagger';

import type { MissingValue } from '../application/find-missing-values.service.js';

/** A placeholder that renders empty for some recipients. */
export class MissingValueResponse {
  /** @example "attributes.city" */
  name!: string;

  /** Active contacts of the audience that have no value for it; all of them for what is no field of contacts. */
  @ApiProperty({ type: 'integer' })
  recipients!: number;

  static from({ name, recipients }: MissingValue): MissingValueResponse {
    return { name, recipients };
  }
}

export class MissingValuesResponse {
  /** In the order in which they appear in subject, html and text. */
  items!: MissingValueResponse[];

  static from(missing: readonly MissingValue[]): MissingValuesResponse {
    return { items: missing.map((value) => MissingValueResponse.from(value)) };
  }
}
