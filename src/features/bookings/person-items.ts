import { type Field, type Kind, Refusal, refuse } from '../../catalogue/kind.ts'
import { date, string } from '../../catalogue/kinds.ts'
import { HIDDEN } from '../../platform/http/hide-sealed.ts'

const text = string(40)
/** Sessions read these numbers hidden. A hidden one that is not known to be the stored one would replace it. */
export const identityNumber: Kind<string> = {
  ...text,
  read(cell, context) {
    const value = text.read(cell, context)
    if (value instanceof Refusal || !value.includes(HIDDEN)) return value
    return refuse('invalid_string', 'This number is hidden. Send it in full, as `/customers/{id}/identity` shows it.')
  },
  bad: [...(text.bad ?? []), `${HIDDEN}123`],
}

export const isIdentityNumber = ({ read }: Pick<Field, 'read'>): boolean => read === identityNumber.read

/** A person in a list of a booking, with the fields of the traveller directory. */
export const personItems = {
  first_name: string(100),
  last_name: string(100),
  nationality: string(60),
  national_id: identityNumber,
  passport_number: identityNumber,
  passport_country: string(60),
  passport_expiry: date,
  date_of_birth: date,
  gender: string(20),
} satisfies Record<string, Field>
