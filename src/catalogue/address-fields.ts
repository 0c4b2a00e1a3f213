import { pii } from './entity.ts'
import type { Field } from './kind.ts'
import { string } from './kinds.ts'

const part = (key: string, maximum: number): Field<string> => ({
  ...pii(string(maximum)),
  within: { column: 'address', key },
})

/** The import's address columns: keys of the free-form `address`. */
export const addressFields = {
  address_line: part('line', 300),
  address_district: part('district', 100),
  address_city: part('city', 100),
  address_state: part('state', 100),
  address_zip: part('zip', 20),
}
