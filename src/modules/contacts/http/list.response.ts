import type { Page } from '../../../shared/page.js';
import type { ContactList } from '../domain/contact-list.js';

export class ListResponse {
  id!: string;

  /** @example "Newsletter" */
  name!: string;
  createdAt!: Date;
  updatedAt!: Date;

  static from({ id, name, createdAt, updatedAt }: ContactList): ListResponse {
    return { id, name, createdAt, updatedAt };
  }
}

export class ListPageResponse {
  items!: ListResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<ContactList>): ListPageResponse {
    return { items: items.map((list) => ListResponse.from(list)), ...page };
  }
}
