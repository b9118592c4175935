// Files exactly as other programs wrote them, byte by byte. Their content stands in the comment above each.
#pragma once

#include <string>

#include "scratch.hpp"

namespace bauta::test {

// numpy 1.24.2: np.array([[1.5, -2.25, 3], [0, 1e-3, -7]], '<f4')
inline const std::string float32_c = bytes(
    "\223NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }                         "
    "                                 \n\0\0\300\?\0\0\20\300\0\0@@\0\0\0\0o\22\203:\0\0\340\300");

// numpy 1.24.2: np.asfortranarray(np.array([[1.5, -2.25, 65504], [6e-8, 1e-3, -0.]], '<f2'))
inline const std::string float16_fortran = bytes(
    "\223NUMPY\1\0v\0{'descr': '<f2', 'fortran_order': True, 'shape': (2, 3), }                          "
    "                                 \n\0>\1\0\200\300\31\24\377{\0\200");

// numpy 1.24.2: np.array([[0.1, -1e30]], '>f8')
inline const std::string float64_big = bytes(
    "\223NUMPY\1\0v\0{'descr': '>f8', 'fortran_order': False, 'shape': (1, 2), }                         "
    "                                 \n\?\271\231\231\231\231\231\232\306)>Y9\240\214\352");

// numpy 1.24.2: np.array(['a\u00e9', 'b'])
inline const std::string unicode_text = bytes(
    "\223NUMPY\1\0v\0{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }                           "
    "                                 \na\0\0\0\351\0\0\0b\0\0\0\0\0\0\0");

// numpy 1.24.2: np.array([b'ab', b'c'])
inline const std::string byte_text = bytes(
    "\223NUMPY\1\0v\0{'descr': '|S2', 'fortran_order': False, 'shape': (2,), }                           "
    "                                 \nabc\0");

// numpy 1.24.2: np.array([True, False])
inline const std::string booleans = bytes(
    "\223NUMPY\1\0v\0{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }                           "
    "                                 \n\1\0");

// numpy 1.24.2: np.array([1, -2, 300], '>i2'), version=(2, 0)
inline const std::string int16_big_v2 = bytes(
    "\223NUMPY\2\0t\0\0\0{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }                       "
    "                                   \n\0\1\377\376\1,");

// numpy 1.24.2: np.array([[1, 2]], 'u1'), version=(3, 0)
inline const std::string uint8_v3 = bytes(
    "\223NUMPY\3\0t\0\0\0{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }                     "
    "                                   \n\1\2");

// numpy 1.24.2: np.array([{}, 1], dtype=object)
inline const std::string objects = bytes(
    "\223NUMPY\1\0v\0{'descr': '|O', 'fortran_order': False, 'shape': (2,), }                            "
    "                                 \n\200\3cnumpy.core.multiarray\n_reconstruct\nq\0cnumpy\nndarray\nq"
    "\1K\0\205q\2C\1bq\3\207q\4Rq\5(K\1K\2\205q\6cnumpy\ndtype\nq\7X\2\0\0\0O8q\10\211\210\207q\11Rq\n(K"
    "\3X\1\0\0\0|q\13NNNJ\377\377\377\377J\377\377\377\377K\?tq\14b\211]q\15(}q\16K\1etq\17b.");

// numpy 1.24.2: np.zeros(1, dtype=[('a', '<f4')])
inline const std::string structured = bytes(
    "\223NUMPY\1\0v\0{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }                  "
    "                                 \n\0\0\0\0");

// numpy 1.24.2: np.packbits([[1,0,1,0,0,0,0,0,1,1], [0,0,0,0,0,0,0,1,0,1]], axis=1, bitorder='little')
inline const std::string packed_bits = bytes(
    "\223NUMPY\1\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }                         "
    "                                 \n\5\3\200\2");

// numpy 1.24.2: np.savez(X=np.array([[1, 2], [3, 4]], '<f4'), ids=np.array(['a', 'b']))
inline const std::string stored_npz = bytes(
    "PK\3\4\24\0\0\0\0\0\0\0!\0N\373 u\220\0\0\0\220\0\0\0\5\0\24\0X.npy\1\0\20\0\220\0\0\0\0\0\0\0\220\0"
    "\0\0\0\0\0\0\223NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }             "
    "                                             \n\0\0\200\?\0\0\0@\0\0@@\0\0\200@PK\3\4\24\0\0\0\0\0\0"
    "\0!\0\247/\340\354\210\0\0\0\210\0\0\0\7\0\24\0ids.npy\1\0\20\0\210\0\0\0\0\0\0\0\210\0\0\0\0\0\0\0"
    "\223NUMPY\1\0v\0{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }                           "
    "                                 \na\0\0\0b\0\0\0PK\1\2\24\3\24\0\0\0\0\0\0\0!\0N\373 u\220\0\0\0"
    "\220\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\200\1\0\0\0\0X.npyPK\1\2\24\3\24\0\0\0\0\0\0\0!\0\247/\340\354"
    "\210\0\0\0\210\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0\200\1\307\0\0\0ids.npyPK\5\6\0\0\0\0\2\0\2\0h\0\0\0\210"
    "\1\0\0\0\0");

// numpy 1.24.2: np.savez_compressed(X=np.array([[1, 2], [3, 4]], '<f4'), ids=np.array([7, 8]))
inline const std::string deflated_npz = bytes(
    "PK\3\4\24\0\0\0\10\0\0\0!\0N\373 uS\0\0\0\220\0\0\0\5\0\24\0X.npy\1\0\20\0\220\0\0\0\0\0\0\0S\0\0\0"
    "\0\0\0\0\233\354\27\352\33\20\311\310P\306P\255\236\222Z\234\\\244n\245\240n\223f\242\256\243\240"
    "\236\226_TR\224\230\27\237_\224\222\n\22wK\314)N\5\212\27g$\26\244\2\371\32F:\nF\232:\n\265\nd\3.\6"
    "\206\6{\6\6\6\7 \2\342\6\7\0PK\3\4\24\0\0\0\10\0\0\0!\0 \211M+J\0\0\0\220\0\0\0\7\0\24\0ids.npy\1\0"
    "\20\0\220\0\0\0\0\0\0\0J\0\0\0\0\0\0\0\233\354\27\352\33\20\311\310P\306P\255\236\222Z\234\\\244n"
    "\245\240n\223i\241\256\243\240\236\226_TR\224\230\27\237_\224\222\n\22wK\314)N\5\212\27g$\26\244\2"
    "\371\32F:\232:\n\265\n\24\0.v\6\10\340\200\322\0PK\1\2\24\3\24\0\0\0\10\0\0\0!\0N\373 uS\0\0\0\220\0"
    "\0\0\5\0\0\0\0\0\0\0\0\0\0\0\200\1\0\0\0\0X.npyPK\1\2\24\3\24\0\0\0\10\0\0\0!\0 \211M+J\0\0\0\220\0"
    "\0\0\7\0\0\0\0\0\0\0\0\0\0\0\200\1\212\0\0\0ids.npyPK\5\6\0\0\0\0\2\0\2\0h\0\0\0\15\1\0\0\0\0");

// Python 3.11.2, zipfile streaming into a pipe: data descriptor behind X = [[5, 6]]
inline const std::string descriptor_npz = bytes(
    "PK\3\4\24\0\10\0\10\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0X.npy\233\354\27\352\33\20\311\310P\306P"
    "\255\236\222Z\234\\\244n\245\240n\223f\242\256\243\240\236\226_TR\224\230\27\237_\224\222\n\22wK\314"
    ")N\5\212\27g$\26\244\2\371\32\206:\nF\232:\n\265\nd\3.\6\206\5\16\14\14\7\34\0PK\7\10\327\343\221]N"
    "\0\0\0\210\0\0\0PK\1\2\24\3\24\0\10\0\10\0\0\0!\0\327\343\221]N\0\0\0\210\0\0\0\5\0\0\0\0\0\0\0\0\0"
    "\0\0\200\1\0\0\0\0X.npyPK\5\6\0\0\0\0\1\0\1\0\063\0\0\0\201\0\0\0\0\0");

}  // namespace bauta::test
