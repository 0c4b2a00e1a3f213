/** SQL over a customer: whether one of its tags is restricted, so that only those see who it is who may know. */
export const restrictedSql = (customer: string): string =>
  `${customer}.tags && coalesce((select array_agg(r.name) from restricted_tags r where r.account_id = ${customer}.account_id), '{}')`
