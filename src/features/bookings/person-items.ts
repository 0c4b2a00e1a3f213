import type { Field } from '../../catalogue/kind.ts'
import { date, string } from '../../catalogue/kinds.ts'

/** A person in a list of a booking, with the fields of the traveller directory. */
export const personItems = {
  first_name: string(100),
  last_name: string(100),
  nationality: string(60),
  national_id: string(40),
  passport_number: string(40),
  passport_country: string(60),
  passport_expiry: date,
  date_of_birth: date,
  gender: string(20),
} satisfies Record<string, Field>
