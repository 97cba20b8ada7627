import type { FindOperator, FindOptionsOrder, FindOptionsWhere, Repository } from 'typeorm';

import { type Page, type PageRequest, toPage } from '../../shared/page.js';

/** A page of the rows of the account or accounts that match any of the filters, ordered by id and so by time. */
export async function listNewestFirst<Row extends { id: string; accountId: string }>(
  rows: Repository<Row>,
  accountId: string | FindOperator<string>,
  page: PageRequest,
  filter: FindOptionsWhere<Row>[] = [],
): Promise<Page<Row>> {
  const [items, total] = await rows.findAndCount({
    where: (filter.length === 0 ? [{}] : filter).map((one) => ({ ...one, accountId })),
    order: { id: 'DESC' } as FindOptionsOrder<Row>,
    skip: (page.page - 1) * page.limit,
    take: page.limit,
  });
  return toPage(items, total, page);
}
