// dlib's face network as a type: what its weight file was written from.
#pragma once

#include <dlib/dnn.h>

namespace bauta::faces {

/// Two convolutions of 3 x 3 with N filters, the first with the stride; batch normalisation is frozen.
template <long N, int stride, class Input>
using Convolutions =
    dlib::affine<dlib::con<N, 3, 3, 1, 1, dlib::relu<dlib::affine<dlib::con<N, 3, 3, stride, stride, Input>>>>>;

template <long N, class Input>
using Residual = dlib::relu<dlib::add_prev1<Convolutions<N, 1, dlib::tag1<Input>>>>;

/// Halves the resolution; the shortcut is averaged.
template <long N, class Input>
using Halving = dlib::relu<
    dlib::add_prev2<dlib::avg_pool<2, 2, 2, 2, dlib::skip1<dlib::tag2<Convolutions<N, 2, dlib::tag1<Input>>>>>>>;

template <class Input>
using Stage32 = Residual<32, Residual<32, Residual<32, Input>>>;
template <class Input>
using Stage64 = Residual<64, Residual<64, Residual<64, Halving<64, Input>>>>;
template <class Input>
using Stage128 = Residual<128, Residual<128, Halving<128, Input>>>;
template <class Input>
using Stage256 = Residual<256, Residual<256, Halving<256, Input>>>;

using Stem =
    dlib::max_pool<3, 3, 2, 2, dlib::relu<dlib::affine<dlib::con<32, 7, 7, 2, 2, dlib::input_rgb_image_sized<150>>>>>;

using Network = dlib::loss_metric<
    dlib::fc_no_bias<128, dlib::avg_pool_everything<Halving<256, Stage256<Stage128<Stage64<Stage32<Stem>>>>>>>>;

}  // namespace bauta::faces
