// The JavaScript of embind, for what bindings/ uses of it: classes without bases, 32-bit integers, bool, val and views
// of bytes. Emscripten's own has more: smart pointers, inheritance, strings, and a finalizer, which the handles of
// web/sdk/core do not need.
/* global HEAPU8, HEAPU32, LibraryManager, Module, getWasmTableEntry, mergeInto */
/* global boundTypes, boundValues, callerOf, freeHandles, handleOf, readText, takeValue, __emval_decref */

mergeInto(LibraryManager.library, {
  // How values of a C++ type pass, by the address that identifies the type.
  $boundTypes: {},

  // The values that C++ holds, by handle. The first ones are constants of emscripten/val.h.
  $boundValues: [{}, { value: undefined }, { value: null }, { value: true }, { value: false }],
  $freeHandles: [],

  $handleOf__deps: ['$boundValues', '$freeHandles'],
  $handleOf: function (value) {
    for (var handle = 1; handle < 5; handle++) {
      if (boundValues[handle].value === value) return handle;
    }
    handle = freeHandles.length ? freeHandles.pop() : boundValues.length;
    boundValues[handle] = { value: value, count: 1 };
    return handle;
  },

  _emval_incref__sig: 'vi',
  _emval_incref__deps: ['$boundValues'],
  _emval_incref: function (handle) {
    boundValues[handle].count++;
  },

  _emval_decref__sig: 'vi',
  _emval_decref__deps: ['$boundValues', '$freeHandles'],
  _emval_decref: function (handle) {
    if (handle < 5 || --boundValues[handle].count) return;
    boundValues[handle] = undefined;
    freeHandles.push(handle);
  },

  $takeValue__deps: ['$boundValues', '_emval_decref'],
  $takeValue: function (handle) {
    var value = boundValues[handle].value;
    __emval_decref(handle);
    return value;
  },

  _emval_take_value__sig: 'iii',
  _emval_take_value__deps: ['$boundTypes', '$handleOf'],
  _emval_take_value: function (type, address) {
    return handleOf(boundTypes[type].read(address));
  },

  _emval_as__sig: 'iiii',
  _emval_as__deps: ['$boundTypes', '$boundValues'],
  _emval_as: function (handle, type, destructors) {
    HEAPU32[destructors >> 2] = 0;
    return boundTypes[type].toWire(boundValues[handle].value);
  },

  // No type that is bound has something to destroy.
  _emval_run_destructors__sig: 'vi',
  _emval_run_destructors: function () {},

  _emval_call__sig: 'iiiii',
  _emval_call__deps: ['$boundTypes', '$boundValues', '$handleOf'],
  _emval_call: function (handle, count, types, address) {
    var values = [];
    for (var i = 0; i < count; i++) {
      values.push(boundTypes[HEAPU32[(types >> 2) + i]].read(address + 8 * i));
    }
    return handleOf(boundValues[handle].value(...values));
  },

  // Names are ASCII.
  $readText: function (address) {
    var text = '';
    while (HEAPU8[address]) text += String.fromCharCode(HEAPU8[address++]);
    return text;
  },

  _embind_register_void__deps: ['$boundTypes'],
  _embind_register_void: function (type) {
    boundTypes[type] = { fromWire: (value) => value };
  },

  _embind_register_bool__deps: ['$boundTypes'],
  _embind_register_bool: function (type) {
    boundTypes[type] = { fromWire: Boolean, toWire: Number };
  },

  _embind_register_integer__deps: ['$boundTypes'],
  _embind_register_integer: function (type, name, size, least) {
    var fromWire = least ? (value) => value | 0 : (value) => value >>> 0;
    var read = (address) => fromWire(HEAPU32[address >> 2]);
    boundTypes[type] = { fromWire: fromWire, toWire: Number, read: read };
  },

  _embind_register_emval__deps: ['$boundTypes', '$handleOf', '$takeValue'],
  _embind_register_emval: function (type) {
    var read = (address) => takeValue(HEAPU32[address >> 2]);
    boundTypes[type] = { fromWire: takeValue, toWire: handleOf, read: read };
  },

  _embind_register_memory_view__deps: ['$boundTypes'],
  _embind_register_memory_view: function (type) {
    boundTypes[type] = {
      read: (address) =>
        new Uint8Array(HEAPU8.buffer, HEAPU32[(address >> 2) + 1], HEAPU32[address >> 2]),
    };
  },

  // Returns a function that calls C++. `types` is the address of `count` types: of the result, of the object if
  // `isMethod`, and of the arguments.
  $callerOf__deps: ['$boundTypes', '$getWasmTableEntry'],
  $callerOf: function (count, types, invoker, target, isMethod) {
    var ids = Array.from(HEAPU32.subarray(types >> 2, (types >> 2) + count));
    var invoke = getWasmTableEntry(invoker);
    var resolved;
    return function () {
      // A class may be registered after the functions that take it.
      resolved = resolved || ids.map((id) => boundTypes[id]);
      var values = isMethod ? [target, this.address] : [target];
      for (var i = 0; i < arguments.length; i++) {
        values.push(resolved[values.length].toWire(arguments[i]));
      }
      return resolved[0].fromWire(invoke.apply(null, values));
    };
  },

  _embind_register_class__deps: ['$boundTypes', '$getWasmTableEntry', '$readText'],
  _embind_register_class: function (
    type,
    pointer,
    constPointer,
    base,
    actualSignature,
    actual,
    upcastSignature,
    upcast,
    downcastSignature,
    downcast,
    name,
    destructorSignature,
    destructor,
  ) {
    var constructors = [];
    function Bound(...given) {
      this.address = constructors[given.length](...given);
    }
    Bound.prototype['delete'] = function () {
      getWasmTableEntry(destructor)(this.address);
    };
    Module[readText(name)] = Bound;
    boundTypes[type] =
      boundTypes[pointer] =
      boundTypes[constPointer] =
        {
          fromWire: (address) => address,
          toWire: (object) => object.address,
          constructors: constructors,
          prototype: Bound.prototype,
        };
  },

  _embind_register_class_constructor__deps: ['$boundTypes', '$callerOf'],
  _embind_register_class_constructor: function (
    type,
    count,
    types,
    signature,
    invoker,
    constructor,
  ) {
    boundTypes[type].constructors[count - 1] = callerOf(count, types, invoker, constructor);
  },

  _embind_register_class_function__deps: ['$boundTypes', '$callerOf', '$readText'],
  _embind_register_class_function: function (type, name, count, types, signature, invoker, target) {
    boundTypes[type].prototype[readText(name)] = callerOf(count, types, invoker, target, true);
  },
});
