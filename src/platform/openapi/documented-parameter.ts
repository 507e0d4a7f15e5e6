/** Binds a parameter of a method, and adds a decorator of the OpenAPI document to the method. */
export const documentedParameter =
  (bind: ParameterDecorator, document: MethodDecorator): ParameterDecorator =>
  (target, key, index) => {
    bind(target, key, index);
    if (key === undefined) return;
    const method = Object.getOwnPropertyDescriptor(target, key);
    if (method) document(target, key, method);
  };
