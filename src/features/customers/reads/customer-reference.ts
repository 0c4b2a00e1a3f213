import type { Linked } from '../../../catalogue/entity.ts'
import type { Kind } from '../../../catalogue/kind.ts'
import { reference } from '../../../catalogue/kinds.ts'
import { restrictedSql } from './restricted.ts'

/**
 * A cell that names a customer: by external id, otherwise by an e-mail that the writer may see. If none is found, the
 * record stays unlinked.
 */
export const customerReference = (column = 'customer_id'): Kind<string> =>
  reference({
    to: 'customers',
    table: 'customers',
    merges: true,
    by: [
      { name: 'external_id', column: 'external_id' },
      { name: 'email', column: 'email_key', lowered: true, pii: true },
    ],
    restricted: restrictedSql('t'),
    column,
    onMissing: 'skip',
  })

/** The customer that a record shows; `id` is SQL over `t`. */
export const linkedCustomer = (id: string): Linked => ({
  table: 'customers',
  id,
  pii: true,
  restricted: restrictedSql('l'),
})
