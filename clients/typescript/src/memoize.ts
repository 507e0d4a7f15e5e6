/** Calls `create` once for each key: the formatters of `Intl` are expensive to create. */
export function memoize<Value>(create: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
}
