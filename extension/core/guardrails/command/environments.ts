const safe =
  /(?:^|[^a-z])(?:dev|develop|development|test|testing|tests|staging|stage|stg|preview|sandbox|local|localhost|qa|uat|ephemeral|minikube|kind|ci|demo|127\.0\.0\.1)(?:[^a-z]|$)/i;

/** One of the words names an environment that is not production. */
export function namesSafeEnvironment(words: readonly string[]): boolean {
  return words.some((word) => safe.test(word) && !/(?:^|[^a-z])(?:prod|production|live)(?:[^a-z]|$)/i.test(word));
}
