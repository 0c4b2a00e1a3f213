import { statement } from '../../../platform/db/statement.ts'
import { type CustomerMove, MOVED } from '../../../records/customer-move.ts'

/** If both customers were greeted on the same day, one greeting is kept. */
const moveGreetings = statement(
  MOVED,
  {},
  `
  with doubled as (
    delete from birthday_greetings g where g.account_id = $account::integer and g.customer_id = $loser and exists (select
      from birthday_greetings o where o.account_id = g.account_id and o.customer_id = $into and o.celebrated_on = g.celebrated_on)
  )
  update birthday_greetings g set customer_id = $into where g.account_id = $account::integer and g.customer_id = $loser and not exists (select
    from birthday_greetings o where o.account_id = g.account_id and o.customer_id = $into and o.celebrated_on = g.celebrated_on)`,
)
export const movesOfBirthdays: readonly CustomerMove[] = [
  { of: 'birthday_greetings.customer_id', statement: moveGreetings },
]
