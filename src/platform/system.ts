import { Injectable } from '@nestjs/common';

import { Clock } from '../shared/ports/clock.js';
import { Random } from '../shared/ports/random.js';

/** The clock of stand-alone commands. The processes of the service share the clock of the database. */
@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

@Injectable()
export class SystemRandom extends Random {
  next(): number {
    return Math.random();
  }
}
