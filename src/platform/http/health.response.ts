import { ApiProperty } from '@nestjs/swagger';

import type { Health } from '../metrics/readiness.js';

export class HealthResponse implements Health {
  @ApiProperty({ enum: ['up', 'degraded', 'down'] })
  status!: Health['status'];

  /** The result of each check. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['up', 'down'] },
    example: { database: 'up', queue: 'up', load: 'up' },
  })
  checks!: Health['checks'];
}
