import { OmitType } from '@nestjs/swagger';

import { ListContactsDto } from './list-contacts.dto.js';

/** Which contacts, without the page. */
export class FilterContactsDto extends OmitType(ListContactsDto, ['page', 'limit']) {}
