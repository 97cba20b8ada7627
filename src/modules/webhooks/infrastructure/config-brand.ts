import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { Brand } from '../application/ports/brand.js';

@Injectable()
export class ConfigBrand extends Brand {
  readonly name: string;

  constructor({ brand }: Config) {
    super();
    this.name = brand;
  }
}
