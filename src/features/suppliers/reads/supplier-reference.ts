import type { Linked } from '../../../catalogue/entity.ts'
import type { Kind, Reference } from '../../../catalogue/kind.ts'
import { reference } from '../../../catalogue/kinds.ts'

/** A cell that names a supplier: by external id, else by its code. */
export const supplierReference = (onMissing: Reference['onMissing']): Kind<string> =>
  reference({
    to: 'suppliers',
    table: 'suppliers',
    by: [
      { name: 'external_id', column: 'external_id' },
      { name: 'code', column: 'code' },
    ],
    column: 'supplier_id',
    onMissing,
  })

/** The supplier that a record shows. */
export const linkedSupplier: Linked = { table: 'suppliers', id: 't.supplier_id' }
