import { PickType } from '@nestjs/swagger';

import { ChangeTemplateDto } from './change-template.dto.js';

export class RestoreVersionDto extends PickType(ChangeTemplateDto, ['version']) {}
