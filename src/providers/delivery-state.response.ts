import { ApiProperty } from '@nestjs/swagger';

/** Why and until when the deliveries through a provider are paused. */
interface Pause {
  reason: string;
  since: Date;
  until: Date;
}

export class DeliveryStateResponse {
  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  /** The provider's error; null if deliveries are not paused. */
  reason!: string | null;
  since!: Date | null;

  /** When waiting messages are retried. A change of the provider's settings ends the pause for new messages. */
  until!: Date | null;

  static from(pause: Pause | null): DeliveryStateResponse {
    const { reason, since, until } = pause ?? { reason: null, since: null, until: null };
    return { state: pause ? 'paused' : 'active', reason, since, until };
  }
}
